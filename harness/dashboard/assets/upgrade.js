// The upgrade pages: two versions picked lead to their page, which is copied as Markdown.
"use strict";
{
  const form = document.getElementById("pick");
  if (form) pick(form);
  const button = document.getElementById("copy");
  if (button) copy(button);

  function pick(form) {
    const links = new Map([...document.querySelectorAll("[data-old]")].map((one) => [`${one.dataset.old} ${one.dataset.new}`, one]));
    const [old, now] = [form.elements.old, form.elements.new];
    const picked = document.getElementById("picked");
    const page = () => links.get(`${old.value} ${now.value}`) ?? links.get(`${now.value} ${old.value}`);
    const framework = (select) => select.selectedOptions[0]?.parentElement.label;

    function say() {
      const link = page();
      form.querySelector("button").disabled = !link;
      picked.textContent = link
        ? `${link.dataset.old} → ${link.dataset.new}: ${[...link.querySelectorAll(".many")].map((one) => one.textContent).join(", ")}`
        : "pick two versions";
    }

    form.hidden = false;
    form.addEventListener("input", (event) => {
      // The other select follows into the framework that was picked.
      const other = event.target === old ? now : old;
      if (framework(old) !== framework(now)) {
        const place = [...event.target.options].indexOf(event.target.selectedOptions[0]);
        const near = [place + 1, place - 1].filter((at) => other.options[at]?.parentElement.label === framework(event.target));
        other.selectedIndex = event.target === old ? near[0] ?? place : near.at(-1) ?? place;
      }
      say();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (page()) location.href = page().href;
    });
    addEventListener("pageshow", say); // a browser that goes back keeps what was picked
    say();
  }

  function copy(button) {
    const markdown = document.getElementById("markdown");
    const copied = document.getElementById("copied");

    /** Copy from a selection, as pages without a clipboard do; where that fails, it stays selected. */
    function bySelection() {
      markdown.closest("details").open = true;
      getSelection().selectAllChildren(markdown);
      return document.execCommand("copy");
    }

    button.hidden = false;
    button.addEventListener("click", async () => {
      copied.textContent = "";
      try {
        await navigator.clipboard.writeText(markdown.textContent);
        copied.textContent = "copied";
      } catch { // a page opened from a disk may have no clipboard
        copied.textContent = bySelection() ? "copied" : "selected below: copy it with the keyboard";
      }
    });
  }
}
