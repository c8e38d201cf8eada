// The review: decisions become commands, a patch and a list of rejections. Nothing is sent.
"use strict";
{
  const known = JSON.parse(document.getElementById("cases").textContent);
  const { cases, place } = known;
  const key = `emberwatch review ${known.digest}`;
  const byId = (id) => document.getElementById(id);
  const fieldsets = new Map([...document.querySelectorAll("fieldset[data-id]")].map((one) => [one.dataset.id, one]));
  const groups = new Map(); // group → its cases' numbers
  const groupOf = cases.map((_, number) => {
    const own = byId(`c${number}`).closest("section").querySelector('fieldset[data-id^="g"]');
    if (own) groups.set(own.dataset.id, [...(groups.get(own.dataset.id) ?? []), number]);
    return own?.dataset.id;
  });
  const everything = cases.map((_, number) => number);
  const members = (id) => (id === "all" ? everything : groups.get(id) ?? [Number(id.slice(1))]);
  const texts = { commands: "", patch: "", rejects: "" }; // exactly what is copied
  let state = {}; // fieldset → { decision, reason, link, expires }, without what is empty
  let address; // of the patch to download
  let waiting;

  // --- texts that are safe wherever they go ------------------------------------------------------

  // What no shell, terminal or file should meet: control characters, halves of a character.
  const clean = (text) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n]/gu, " ").replace(/\p{Cs}/gu, "\ufffd").trim();
  const word = (text) => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const escaped = (one) => {
    const code = one.codePointAt(0);
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  };
  // JSON is YAML, once what ends a line for YAML or cannot be seen is spelled.
  const yaml = (text) => JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  const markdown = (text) => text.split(/\s+/).join(" ").replace(/[\\`*_{}[\]<>()#|~&!@$-]/g, "\\$&");
  const today = () => new Date().toISOString().slice(0, 10);
  const name = (one) => `${one.cell} ${one.experiment}${one.variant === "default" ? "" : ` / ${one.variant}`}`;

  // --- decisions ---------------------------------------------------------------------------------

  const decision = (number) => state[`c${number}`]?.decision ?? "";

  function ground(number, field) {
    const own = [`c${number}`, groupOf[number], field === "reason" ? "all" : undefined];
    return own.map((id) => clean(state[id]?.[field] ?? "")).find(Boolean) ?? "";
  }

  function grounds(number) {
    const one = cases[number];
    const given = { reason: ground(number, "reason"), link: "", expires: "" };
    return one.by_entries ? { ...given, link: ground(number, "link"), expires: ground(number, "expires") } : given;
  }

  function problem({ reason, expires }) {
    if (!reason) return "lacks a reason";
    if (expires && !/^\d{4}-\d{2}-\d{2}$/.test(expires)) return "its last day is none";
    return expires && expires < today() ? "its last day is over" : "";
  }

  // A head that does as its reference does needs no entry once that is accepted.
  function toAccept() {
    const ready = new Map(), lacking = [], settled = [];
    for (const number of everything) {
      if (decision(number) !== "accept") continue;
      const given = grounds(number), wrong = problem(given);
      if (wrong) lacking.push([number, wrong]);
      else ready.set(number, given);
    }
    for (const number of [...ready.keys()]) {
      const one = cases[number];
      if (one.reference === null || !ready.has(one.reference) || one.then.length) continue;
      ready.delete(number);
      settled.push(number);
    }
    return { ready, lacking, settled };
  }

  // --- commands ----------------------------------------------------------------------------------

  function cut(pairs, by, other) {
    const found = new Map(), same = new Map();
    for (const pair of pairs) found.set(pair[by], [...(found.get(pair[by]) ?? []), pair[other]]);
    for (const [one, others] of found) {
      const all = JSON.stringify(others.sort());
      same.set(all, [...(same.get(all) ?? []), one]);
    }
    return [...same].map(([others, ones]) => ({ [by]: ones, [other]: JSON.parse(others) }));
  }

  // A command accepts each variant that it names in each cell that it names, so that these have to
  // be what was ticked, and nothing else. Released cells come first: heads are held against them.
  function commands(ready) {
    const alike = new Map();
    for (const [number, given] of ready) {
      const { experiment, variant, cell, by_entries, source } = cases[number];
      const what = JSON.stringify([by_entries, experiment, source, given.reason, given.link, given.expires]);
      alike.set(what, [...(alike.get(what) ?? []), { variant, cell }]);
    }
    const lines = [[], []];
    for (const [what, pairs] of alike) {
      const [by_entries, experiment, source, reason, link, expires] = JSON.parse(what);
      const [one, other] = [cut(pairs, "cell", "variant"), cut(pairs, "variant", "cell")];
      for (const { variant, cell } of one.length <= other.length ? one : other) {
        const words = ["nox", "-s", "accept", "--", experiment, ...variant, ...cell, ...source, "--reason"];
        const more = [link && ["--link", link], expires && ["--expires", expires]].filter(Boolean).flat();
        // the reason always in quotes, as people write it
        lines[Number(by_entries)].push([...words.map(word), `'${reason.replaceAll("'", "'\\''")}'`, ...more.map(word)].join(" "));
      }
    }
    return lines.flat();
  }

  // --- the patch ---------------------------------------------------------------------------------

  function entries(ready) {
    const found = [], replaced = [];
    for (const [number, { reason, link, expires }] of ready) {
      const one = cases[number];
      if (!one.by_entries) continue;
      if (one.replaces) { replaced.push(number); continue; }
      const more = [["reason", yaml(reason)], ["link", link && yaml(link)], ["since", `'${today()}'`], ["expires", expires && `'${expires}'`]];
      const after = more.filter(([, value]) => value).map(([field, value]) => `  ${field}: ${value}\n`).join("");
      for (const entry of one.reference !== null && ready.has(one.reference) ? one.then : one.entries) found.push(entry + after);
    }
    return { found, replaced };
  }

  function patch(found) {
    const lines = found.map((entry) => entry.trimEnd().split("\n").map((line) => place.indent + line));
    const added = lines.flatMap((entry, number) => (number ? [...place.between, ...entry] : entry));
    const hunk = [
      ...place.before.map((line) => ` ${line}`),
      ...place.removed.map((line) => `-${line}`),
      ...[...place.lead, ...added, ...place.trail].map((line) => `+${line}`),
      ...place.after.map((line) => ` ${line}`),
    ];
    const count = (sign) => hunk.filter((line) => line[0] !== sign).length;
    const range = (start, length) => `${length ? start : start - 1},${length}`;
    const path = "baselines/accepted.yaml";
    const head = [
      `diff --git a/${path} b/${path}`,
      ...(place.exists ? [] : ["new file mode 100644"]),
      place.exists ? `--- a/${path}` : "--- /dev/null",
      `+++ b/${path}`,
      `@@ -${range(place.line, count("+"))} +${range(place.line, count("-"))} @@`,
    ];
    return [...head, ...hunk, ""].join("\n");
  }

  // --- showing -----------------------------------------------------------------------------------

  function items(id, found, say) {
    byId(id).hidden = !found.length;
    byId(id).querySelector("ul").replaceChildren(...found.map((one) => {
      const [number, words] = say(one);
      const line = document.createElement("li"), link = document.createElement("a");
      link.href = `#c${number}`;
      link.textContent = name(cases[number]);
      line.append(link, `: ${words}`);
      return line;
    }));
  }

  function show() {
    const { ready, lacking, settled } = toAccept();
    const rejected = everything.filter((number) => decision(number) === "reject");
    const accepted = everything.filter((number) => decision(number) === "accept").length;
    const lines = commands(ready);
    texts.commands = lines.join("\n");
    byId("commands").querySelector("pre").textContent = texts.commands || "Nothing is accepted yet.";
    byId("commands").querySelector("button").disabled = !lines.length;
    items("lacking", lacking, (one) => one);
    items("settled", settled, (number) => [number, `does as ${cases[cases[number].reference].cell} does, which is accepted`]);

    const { found, replaced } = entries(ready);
    texts.patch = !found.length ? "" : place ? patch(found) : found.join("\n");
    byId("patch").hidden = !found.length;
    byId("patch").querySelector("pre").textContent = texts.patch;
    byId("patch").querySelector("a").hidden = !place;
    const left = replaced.length ? `${replaced.length} that take the place of older entries are in the commands alone.` : "";
    byId("patch").querySelector("span").textContent = place ? left : `The file's form leaves no room for a patch: add these by hand. ${left}`;
    if (address) URL.revokeObjectURL(address);
    address = found.length && place ? URL.createObjectURL(new Blob([texts.patch], { type: "text/x-diff" })) : undefined;
    if (address) byId("patch").querySelector("a").href = address;

    texts.rejects = rejected.map((number) => {
      const reason = ground(number, "reason");
      const told = cases[number].told.map((one) => `  - ${one}\n`).join("");
      return `- rejected: ${markdown(name(cases[number]))}${reason ? `, ${markdown(reason)}` : ""}\n${told}`;
    }).join("");
    byId("rejects").hidden = !rejected.length;
    byId("rejects").querySelector("pre").textContent = texts.rejects;

    const parts = [`${accepted + rejected.length} of ${cases.length} decided: ${accepted} accepted, ${rejected.length} rejected`];
    if (lacking.length) parts.push(`${lacking.length} left out`);
    byId("decided").textContent = parts.join("; ");
    try {
      if (Object.keys(state).length) localStorage.setItem(key, JSON.stringify(state));
      else localStorage.removeItem(key);
      byId("kept").textContent = "Kept in this browser.";
    } catch { // a page from a disk may keep nothing
      byId("kept").textContent = "This browser keeps no decisions of this page: copy the commands before you leave it.";
    }
  }

  function set(id, field, value) {
    const { [field]: _, ...rest } = state[id] ?? {};
    const next = value ? { ...rest, [field]: value } : rest;
    if (Object.keys(next).length) state[id] = next;
    else delete state[id];
  }

  function tick(id, value) { // no value where the members differ
    for (const radio of fieldsets.get(id).querySelectorAll("input[type=radio]")) radio.checked = radio.value === value;
  }

  function agree(ids) {
    for (const id of ids) {
      const found = new Set(members(id).map(decision));
      tick(id, found.size === 1 ? [...found][0] : undefined);
    }
  }

  function decide(id, value) {
    for (const number of members(id)) {
      set(`c${number}`, "decision", value);
      tick(`c${number}`, value);
    }
    agree(["all", ...(id === "all" ? groups.keys() : [groupOf[members(id)[0]]].filter(Boolean))]);
  }

  function later(milliseconds) {
    clearTimeout(waiting);
    waiting = setTimeout(show, milliseconds);
  }

  function load(kept) {
    state = kept;
    for (const [id, fieldset] of fieldsets) {
      for (const field of fieldset.querySelectorAll("[data-field]")) field.value = state[id]?.[field.dataset.field] ?? "";
      if (id.startsWith("c")) tick(id, state[id]?.decision ?? "");
    }
    agree(["all", ...groups.keys()]);
    show();
  }

  function remembered() {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
      return kept !== null && typeof kept === "object" ? kept : {};
    } catch {
      return {};
    }
  }

  async function copy(what) {
    const pre = byId(what).querySelector("pre");
    try {
      await navigator.clipboard.writeText(texts[what]);
      byId("said").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(pre);
      byId("said").textContent = "Selected: copy it with the keyboard.";
    }
  }

  document.addEventListener("input", ({ target }) => {
    const id = target.closest?.("fieldset[data-id]")?.dataset.id;
    if (!id) return;
    if (target.type === "radio") decide(id, target.value);
    else set(id, target.dataset.field, target.value);
    later(target.type === "radio" ? 0 : 150); // what is typed is shown when it pauses
  });
  document.addEventListener("click", ({ target }) => {
    if (target.dataset?.copy) copy(target.dataset.copy);
    const aim = target.closest?.('a[href^="#c"]');
    if (aim) byId(aim.hash.slice(1)).closest("details")?.setAttribute("open", "");
  });
  byId("reset").addEventListener("click", () => {
    if (!Object.keys(state).length || confirm("Forget all decisions and reasons on this page?")) load({});
  });
  for (const field of document.querySelectorAll("[data-min]")) field.min = today();
  document.documentElement.classList.add("js");
  load(remembered());
}
