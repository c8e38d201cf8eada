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
  const bodies = [...grid.tBodies].map((body) => ({ body, rows: [...body.rows].slice(1) }));
  const words = { b: "break", c: "change", n: "note" };
  const texts = new Map();
  for (const { rows } of bodies) for (const row of rows) texts.set(row, row.dataset.text.toLowerCase());
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  let styled = "";

  const place = (old, now) => pairs.get(`${old} ${now}`) ?? pairs.get(`${now} ${old}`);

  function filter() {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    const terms = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    const at = place(wanted.old, wanted.new);
    const byMarks = at === undefined || wanted.severity === "pending";
    const ending = `${byMarks ? wanted.framework : ""}-${wanted.severity}`;
    const appearing = [];
    let seen = 0, all = 0;
    for (const { body, rows } of bodies) {
      let some = false;
      for (const row of rows) {
        const between = at === undefined ? "" : (words[row.dataset.pairs[at]] ?? "");
        const found = byMarks ? row.dataset.severity.split(" ") : [`-${between}`];
        const match = (!wanted.topic || body.dataset.topic === wanted.topic)
          && terms.every((term) => texts.get(row).includes(term))
          && (at === undefined || between !== "")
          && (!wanted.severity || found.some((one) => one.endsWith(ending)));
        if (!match) row.hidden = true;
        else if (row.hidden) appearing.push(row);
        some ||= match;
        seen += match;
        all += 1;
      }
      body.hidden = !some;
    }
    show(appearing);
    style(wanted);
    say(wanted, at, seen, all);
    const state = new URLSearchParams(names.filter((name) => wanted[name]).map((name) => [name, wanted[name]]));
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  // To lay out thousands of marks takes longer than a key: rows come back a screenful at a time.
  let turn = 0;
  function show(rows) {
    const ours = ++turn;
    const some = () => {
      if (ours !== turn) return;
      for (const row of rows.splice(0, 60)) row.hidden = false;
      grid.ariaBusy = rows.length > 0;
      if (rows.length) setTimeout(some);
    };
    some();
  }

  // Columns are hidden and marked by rules, so that no keystroke touches every mark.
  function style({ framework, old, new: now }) {
    const rules = [];
    columns.forEach((head, number) => {
      const mark = `.grid tbody td:nth-child(${number + 3})`;
      const picked = head.dataset.cell === old || head.dataset.cell === now;
      head.classList.toggle("picked", picked);
      if (framework && head.dataset.framework !== framework) rules.push(`${mark} { display: none; }`);
      if (picked) rules.push(`${mark} { box-shadow: inset 3px 0 var(--link), inset -3px 0 var(--link); }`);
    });
    grid.classList.toggle("hide-torch", framework === "burn");
    grid.classList.toggle("hide-burn", framework === "torch");
    const wanted = rules.join("\n");
    if (wanted !== styled) sheet.replaceSync(styled = wanted);
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
  document.querySelector(".topics").hidden = true; // the form has them
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  addEventListener("hashchange", () => load() && filter());
  if (load()) filter();
}
