// The overview's filters. Their state is the address's fragment, so that a link holds it.
"use strict";
{
  const form = document.getElementById("filter");
  const grid = document.querySelector(".grid");
  const shown = document.getElementById("shown");
  const names = ["text", "topic", "framework", "severity", "old", "new"];
  const listed = JSON.parse(grid.dataset.pairs);
  const pairs = new Map(listed.map(([a, b], place) => [`${a} ${b}`, place]));
  const columns = [...grid.querySelectorAll("thead [data-cell]")];
  const cells = columns.map((one) => one.dataset.cell);
  const bodies = [...grid.tBodies].map((body) => ({ body, rows: [...body.rows].slice(1) }));
  const texts = new Map();
  const words = { b: "break", c: "change", n: "note" };

  for (const { rows } of bodies)
    for (const row of rows) {
      texts.set(row, row.dataset.text.toLowerCase());
      columns.forEach((head, place) => row.cells[place + 2].classList.add(...[...head.classList].filter((one) => one.startsWith("of-"))));
    }

  const place = (old, now) => pairs.get(`${old} ${now}`) ?? pairs.get(`${now} ${old}`);

  function filter() {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    const terms = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    const at = place(wanted.old, wanted.new);
    const picked = [wanted.old, wanted.new].map((cell) => cells.indexOf(cell));
    let seen = 0, all = 0;
    for (const { body, rows } of bodies) {
      let some = false;
      for (const row of rows) {
        const between = at === undefined ? "" : (words[row.dataset.pairs[at]] ?? "");
        const severities = at === undefined ? row.dataset.severity.split(" ") : [between];
        const match = (!wanted.topic || body.dataset.topic === wanted.topic)
          && terms.every((term) => texts.get(row).includes(term))
          && (at === undefined || between !== "")
          && (!wanted.severity || severities.includes(wanted.severity) || (wanted.severity === "pending" && row.dataset.severity.includes("pending")));
        row.hidden = !match;
        some ||= match;
        seen += match;
        all += 1;
      }
      body.hidden = !some;
    }
    grid.classList.toggle("hide-torch", wanted.framework === "burn");
    grid.classList.toggle("hide-burn", wanted.framework === "torch");
    for (const old of grid.querySelectorAll(".picked")) old.classList.remove("picked");
    for (const column of picked.filter((one) => one >= 0)) {
      columns[column].classList.add("picked");
      if (at !== undefined) for (const { rows } of bodies) for (const row of rows) if (!row.hidden) row.cells[column + 2].classList.add("picked");
    }
    say(wanted, at, seen, all);
    const state = new URLSearchParams(names.filter((name) => wanted[name]).map((name) => [name, wanted[name]]));
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  function say(wanted, at, seen, all) {
    shown.textContent = `${seen} of ${all} variants`;
    if (!wanted.old || !wanted.new) return;
    if (at === undefined) {
      shown.append("; the two are of different frameworks, or the same: nothing to compare");
      return;
    }
    if (!listed[at][2]) {
      shown.append("; of one of the two nothing is known");
      return;
    }
    const swapped = !pairs.has(`${wanted.old} ${wanted.new}`);
    const [old, now] = swapped ? [wanted.new, wanted.old] : [wanted.old, wanted.new];
    const link = document.createElement("a");
    link.href = `upgrade/${encodeURIComponent(old)}..${encodeURIComponent(now)}.html`;
    link.textContent = "what changes, in full";
    shown.append(" differ; ", link);
  }

  function load() {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!names.some((name) => state.has(name))) return false;
    for (const name of names) form.elements[name].value = state.get(name) ?? "";
    return true;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  addEventListener("hashchange", () => load() && filter());
  if (load()) filter();
}
