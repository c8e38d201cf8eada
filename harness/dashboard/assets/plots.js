// Puts a drawing that answers to the mouse in the place of each one that does not; where that fails, the first stays.
"use strict";
{
  const nothing = { load: () => Promise.reject(new Error("plots hold their data")), sanitize: () => Promise.reject(new Error("plots have no links")) };
  const options = { mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, loader: nothing, tooltip: { disableDefaultStyle: true } };

  async function enliven(figure) {
    const drawing = figure.querySelector(".drawing");
    const before = drawing.querySelector("svg");
    const into = document.createElement("div");
    try {
      await vegaEmbed(into, JSON.parse(figure.querySelector("script").textContent), options);
      const after = into.querySelector("svg");
      for (const name of ["role", "aria-label"]) after.setAttribute(name, before.getAttribute(name));
      into.querySelector("form")?.remove();
      drawing.replaceChildren(into);
    } catch {
      drawing.replaceChildren(before);
    }
  }

  if (typeof vegaEmbed === "function")
    (async () => {
      for (const figure of document.querySelectorAll(".plot")) await enliven(figure);
    })();
}
