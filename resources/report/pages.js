/* The viewer of pages: an image, outlines and areas as layers, and the facts of what is clicked. */
(() => {
  const box = document.getElementById("viewer");
  if (!box) return;
  const SVG = "http://www.w3.org/2000/svg", get = id => document.getElementById("viewer-" + id);
  const about = JSON.parse(get("about").textContent), sources = [...box.querySelectorAll(".viewed-page")], pages = [];
  const svg = box.querySelector("svg"), sheet = box.querySelector(".sheet"), facts = get("facts"), layers = get("layers");
  const page = at => pages[at] ??= JSON.parse(sources[at].textContent);
  const shape = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const state = { page: 0, run: 0, query: -1, rank: Infinity, chosen: [], fit: 1 };
  let zoomed = null;

  const offer = (select, names) => names.forEach((name, at) => select.append(new Option(name, at)));
  offer(get("page"), sources.map(source => source.dataset.name));
  offer(get("run"), about.runs.map(run => run.name));
  get("query").append(new Option("All queries", -1));
  offer(get("query"), about.labels.map(label => label || "(no label)"));
  about.runs.forEach((run, at) => {
    const input = Object.assign(document.createElement("input"), { type: "checkbox", value: "spots" + at, checked: at === 0 });
    const label = document.createElement("label"), sample = element("i", "", "outline");
    sample.style.borderColor = run.colour; sample.dataset.run = at;
    label.append(input, sample, run.name);
    layers.querySelector(".runs").append(label);
  });
  const isOn = layer => layers.querySelector(`input[value="${layer}"]`)?.checked === true;

  const wantedSpots = run => run.rank.map((_, at) => at).filter(at => run.d[at] && run.rank[at] <= state.rank && (state.query < 0 || run.query[at] === state.query));
  const isTruth = (truth, at) => truth.d[at] && about.labels[truth.label[at]] !== "" && !truth.ignored.includes(at);
  const wantedRegions = truth => truth.d.map((_, at) => at).filter(at => isTruth(truth, at) && (state.query < 0 || truth.label[at] === state.query));
  const joined = (d, places) => places.map(at => d[at]).join("");
  const byLabel = (places, labels) => { const groups = new Map(); for (const at of places) { if (!groups.has(labels[at])) groups.set(labels[at], []); groups.get(labels[at]).push(at); } return groups; };

  /* Areas are made of clips and masks, so that no layer shows through where another one stands. What is ignored for a query is
     cut out of its spots and its truth. */
  const areas = (shown, number, width, height) => {
    const { truth } = shown, run = shown.runs[number], { ignored, query: concerned, unit } = shown.areas[number];
    const spots = wantedSpots(run), relevant = wantedRegions(truth);
    const every = truth.d.map((_, at) => at).filter(at => isTruth(truth, at)), whole = joined(truth.d, every);
    const rect = () => shape("rect", { x: 0, y: 0, width, height, fill: "white" }), use = (id, more) => shape("use", { href: "#viewer-area-" + id, ...more });
    const mask = (id, ...cut) => shape("mask", { id: "viewer-mask-" + id, maskUnits: "userSpaceOnUse", x: 0, y: 0, width, height }, rect(), ...cut);
    const found = shape("g", { id: "viewer-area-found" }), defs = shape("defs", {}), regions = byLabel(relevant, truth.label), searched = byLabel(spots, run.query);
    const scaled = (places, more) => shape("path", { d: joined(ignored, places), transform: `scale(${unit / shown.unit})`, ...more });
    const ofQuery = label => ignored.map((_, at) => at).filter(at => ignored[at] && (concerned[at] < 0 || concerned[at] === label));
    const judged = (label, path) => {
      const places = ofQuery(label);
      if (!places.length) return path;
      const id = "ignored-" + label;
      if (!defs.querySelector("#viewer-mask-" + id)) defs.append(mask(id, scaled(places, { fill: "black" })));
      return shape("g", { mask: `url(#viewer-mask-${id})` }, path);
    };
    const together = (groups, d) => [...groups].map(([label, places]) => judged(label, shape("path", { d: joined(d, places) })));
    for (const [label, places] of searched) {
      if (!regions.has(label)) continue;
      defs.append(shape("clipPath", { id: "viewer-truth-" + label }, shape("path", { d: joined(truth.d, regions.get(label)) })));
      found.append(judged(label, shape("g", { "clip-path": `url(#viewer-truth-${label})` }, shape("path", { d: joined(run.d, places) }))));
    }
    for (const [kind, { tile, side }] of Object.entries(about.hatches))
      defs.append(shape("pattern", { id: "viewer-hatch-" + kind, width: side, height: side, patternUnits: "userSpaceOnUse", patternTransform: `scale(${1 / state.fit})` },
        shape("image", { href: "data:image/png;base64," + tile, width: side, height: side })));
    defs.append(found,
      shape("clipPath", { id: "viewer-truth" }, shape("path", { d: whole })),
      shape("g", { id: "viewer-area-other" }, shape("g", { "clip-path": "url(#viewer-truth)" }, ...together(searched, run.d))),
      shape("g", { id: "viewer-area-missed" }, ...together(regions, truth.d)), shape("g", { id: "viewer-area-false" }, ...together(searched, run.d)),
      mask("found", use("found", { fill: "black" })), mask("hit", use("found", { fill: "black" }), use("other", { fill: "black" })),
      mask("truth", shape("path", { d: whole, fill: "black" })));
    const group = shape("g", { class: "areas" });
    const unseen = ignored.map((_, at) => at).filter(at => ignored[at] && (state.query < 0 || concerned[at] < 0 || concerned[at] === state.query));
    if (isOn("IGNORED")) group.append(scaled(unseen, { class: "area ignored", fill: "url(#viewer-hatch-IGNORED)" }));
    for (const [kind, layer, cut] of [["FALSE", "false", "truth"], ["MISSED", "missed", "hit"], ["OTHER_LABEL", "other", "found"], ["FOUND", "found", null]])
      if (isOn(kind)) group.append(use(layer, { class: "area " + layer, fill: `url(#viewer-hatch-${kind})`, ...(cut ? { mask: `url(#viewer-mask-${cut})` } : {}) }));
    return [defs, group];
  };

  const draw = () => {
    const shown = page(state.page), unit = shown.unit, width = shown.width / unit, height = shown.height / unit;
    const across = sheet.clientWidth, down = Math.min(Math.max(360, innerHeight - 220), across * shown.height / shown.width);
    svg.setAttribute("width", across); svg.setAttribute("height", down);
    state.fit = Math.min(across / width, down / height);
    const content = shape("g", { transform: `translate(${(across - state.fit * width) / 2} 0) scale(${state.fit})` });
    content.append(shape("rect", { x: 0, y: 0, width, height, fill: "white", class: "paper-sheet" }));
    if (shown.image && isOn("image")) content.append(shape("image", { href: shown.image, x: 0, y: 0, width, height, preserveAspectRatio: "none", class: "page-image" }));
    const run = shown.runs[state.run];
    if (run) content.append(...areas(shown, state.run, width, height));
    const outlines = shape("g", { class: "outlines" });
    if (isOn("truth")) for (const at of wantedRegions(shown.truth)) outlines.append(shape("path", { class: "region", d: shown.truth.d[at], "data-region": at }));
    if (isOn("truth")) for (const at of shown.truth.ignored) if (shown.truth.d[at]) outlines.append(shape("path", { class: "region ignored", d: shown.truth.d[at], "data-region": at }));
    shown.runs.forEach((each, number) => {
      if (!isOn("spots" + number)) return;
      for (const at of wantedSpots(each)) outlines.append(shape("path", { class: "spot", d: each.d[at], "data-run": number, "data-spot": at, stroke: number === state.run ? "#3a3f45" : about.runs[number].colour }));
    });
    content.append(outlines);
    if (!zoomed) {
      const moved = shape("g", {});
      svg.append(moved);
      zoomed = { moved, panzoom: Panzoom(moved, { canvas: true, maxScale: 40, minScale: .5, step: .4, cursor: "grab" }) };
    }
    zoomed.moved.replaceChildren(content);
    choose(state.chosen, false);
  };

  const written = value => value === null ? "–" : String(value).replace(/^(-?)0\./, "$1.");
  const line = (list, name, value) => list.append(element("dt", name), element("dd", value));
  const spotFacts = (shown, number, at) => {
    const run = shown.runs[number], list = document.createElement("dl"), kind = about.kinds[run.kind[at]], region = run.region[at];
    line(list, "Query", about.labels[run.query[at]]);
    line(list, "Rank", String(run.rank[at]));
    line(list, "Score", written(run.score[at]));
    line(list, "Kind", kind);
    if (region >= 0) { line(list, kind === "correct" ? "Matched region" : "Region", `${shown.truth.id[region]} (${about.labels[shown.truth.label[region]] || "no label"})`); line(list, "IoU", written(run.iou[at])); }
    line(list, "Area in truth of the query", (100 * run.true[at]).toFixed(1) + " %");
    return [`Spot of ${about.runs[number].name}`, about.runs[number].colour, list];
  };
  const regionFacts = (shown, at) => {
    const list = document.createElement("dl"), { truth } = shown;
    line(list, "Label", about.labels[truth.label[at]] || "(no label)");
    line(list, "Region", truth.id[at]);
    if (truth.ignored.includes(at)) { line(list, "State", "ignored: neither found nor missed nor false"); return ["Truth", null, list]; }
    shown.runs.forEach((run, number) => {
      const right = run.region.findIndex((region, spot) => region === at && about.kinds[run.kind[spot]] === "correct");
      const near = run.region.findIndex((region, spot) => region === at && about.kinds[run.kind[spot]] === "badly placed");
      const text = right >= 0 ? `correct at rank ${run.rank[right]}` : near >= 0 ? `badly placed at rank ${run.rank[near]}` : run.missed.includes(at) ? "missed" : "–";
      line(list, about.runs[number].name, text);
    });
    return ["Truth", null, list];
  };
  const pageFacts = shown => {
    const run = shown.runs[state.run], list = document.createElement("dl");
    line(list, "Regions", String(wantedRegions(shown.truth).length));
    if (run) {
      const spots = wantedSpots(run);
      line(list, "Spots drawn", state.query < 0 && run.total !== spots.length ? `${spots.length} of ${run.total}` : String(spots.length));
      about.kinds.forEach((kind, number) => {
        const count = kind === "missed" ? run.missed.filter(at => state.query < 0 || shown.truth.label[at] === state.query).length : spots.filter(at => run.kind[at] === number).length;
        if (kind !== "ignored" || count) line(list, kind === "missed" ? "missed regions" : kind, String(count));
      });
      if (state.query < 0) for (const [kind, area, share] of shown.areas[state.run].rows) line(list, kind + " area", `${area} (${share})`);
    }
    return [shown.name + (run ? ", " + about.runs[state.run].name : ""), null, list];
  };
  const choose = (chosen, told = true) => {
    state.chosen = chosen;
    for (const old of svg.querySelectorAll(".chosen")) old.classList.remove("chosen");
    const shown = page(state.page), cards = chosen.map(each => "region" in each ? regionFacts(shown, each.region) : spotFacts(shown, each.run, each.spot));
    for (const each of chosen.slice(0, 1)) {
      const selector = "region" in each ? `[data-region="${each.region}"]` : `[data-run="${each.run}"][data-spot="${each.spot}"]`;
      svg.querySelector(selector)?.classList.add("chosen");
    }
    facts.replaceChildren(...(cards.length ? cards : [pageFacts(shown)]).map(([title, colour, list]) => {
      const card = document.createElement("div"), head = element("h4", title);
      if (colour) { const sample = element("i", "", "outline"); sample.style.borderColor = colour; head.prepend(sample); }
      card.append(head, list);
      return card;
    }));
    if (told && chosen.length) { const first = chosen[0]; const label = "region" in first ? shown.truth.label[first.region] : shown.runs[first.run].query[first.spot]; Links.point("query:" + about.labels[label]); }
  };

  const show = at => { state.page = (at + sources.length) % sources.length; get("page").value = state.page; state.chosen = []; zoomed?.panzoom.reset({ animate: false }); draw(); };
  const showRun = at => { state.run = at; get("run").value = at; layers.querySelectorAll(".runs input").forEach((input, number) => { input.checked = number === at; }); };
  get("page").addEventListener("change", event => show(Number(event.target.value)));
  get("previous").addEventListener("click", () => show(state.page - 1));
  get("next").addEventListener("click", () => show(state.page + 1));
  get("run").addEventListener("change", event => { showRun(Number(event.target.value)); state.chosen = []; draw(); });
  get("query").addEventListener("change", event => { state.query = Number(event.target.value); state.chosen = []; draw(); });
  get("rank").addEventListener("input", event => { state.rank = Number(event.target.value) || Infinity; state.chosen = []; draw(); });
  layers.addEventListener("change", draw);

  const middle = () => { const { left, top, width, height } = svg.getBoundingClientRect(); return { clientX: left + width / 2, clientY: top + height / 2 }; };
  const zoom = factor => zoomed.panzoom.zoomToPoint(zoomed.panzoom.getScale() * factor, middle());
  get("in").addEventListener("click", () => zoom(1.5));
  get("out").addEventListener("click", () => zoom(1 / 1.5));
  get("fit").addEventListener("click", () => zoomed.panzoom.reset({ animate: false }));
  svg.addEventListener("wheel", event => { if (event.ctrlKey || event.metaKey) zoomed.panzoom.zoomWithWheel(event); }, { passive: false });
  svg.addEventListener("dblclick", event => zoomed.panzoom.zoomToPoint(zoomed.panzoom.getScale() * 2, event));
  svg.addEventListener("keydown", event => {
    const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }, scale = zoomed.panzoom.getScale();
    if (event.key === "+") zoom(1.5); else if (event.key === "-") zoom(1 / 1.5); else if (event.key === "0") zoomed.panzoom.reset({ animate: false });
    else if (event.key in steps) zoomed.panzoom.pan(steps[event.key][0] / scale, steps[event.key][1] / scale, { relative: true }); else return;
    event.preventDefault();
  });
  let pressed = null;
  svg.addEventListener("pointerdown", event => { pressed = [event.clientX, event.clientY]; }, true);
  svg.addEventListener("click", event => {
    if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const hit = document.elementsFromPoint(event.clientX, event.clientY).filter(each => each.matches?.(".spot, .region") && svg.contains(each));
    const size = each => { const { width, height } = each.getBBox(); return width * height; };
    hit.sort((a, b) => size(a) - size(b));
    choose(hit.map(each => each.dataset.region === undefined ? { run: Number(each.dataset.run), spot: Number(each.dataset.spot) } : { region: Number(each.dataset.region) }));
  });

  /* Pictures elsewhere open the page that they are of. */
  const openPage = source => {
    const { openPage, openRun, openQuery, openRank, openRegion } = source.dataset, at = sources.findIndex(each => each.dataset.name === openPage);
    if (at < 0) return;
    const number = about.runs.findIndex(run => run.name === openRun);
    if (number >= 0) showRun(number);
    state.query = -1; get("query").value = -1; state.rank = Infinity; get("rank").value = "";
    show(at);
    box.scrollIntoView({ block: "start" });
    const run = page(at).runs[number], label = about.labels.indexOf(openQuery);
    const spot = run && openRank ? run.rank.findIndex((rank, place) => rank === Number(openRank) && run.query[place] === label) : -1;
    const region = openRegion ? page(at).truth.id.indexOf(openRegion) : -1;
    if (spot < 0 && region < 0) return;
    choose([spot >= 0 ? { run: number, spot } : { region }]);
    const chosen = svg.querySelector(".chosen");
    if (!chosen) return;
    const { width, height } = chosen.getBoundingClientRect(), stage = svg.getBoundingClientRect();
    const factor = Math.min(8, Math.max(1, .25 * Math.min(stage.width / Math.max(width, 1), stage.height / Math.max(height, 1))));
    zoomed.panzoom.zoom(factor, { animate: false });
    centre(chosen);
  };
  const centre = chosen => requestAnimationFrame(() => requestAnimationFrame(() => {
    const at = chosen.getBoundingClientRect(), stage = svg.getBoundingClientRect(), scale = zoomed.panzoom.getScale();
    zoomed.panzoom.pan((stage.left + stage.width / 2 - at.left - at.width / 2) / scale, (stage.top + stage.height / 2 - at.top - at.height / 2) / scale, { relative: true, animate: false });
  }));
  document.addEventListener("click", event => { const source = event.target.closest?.("[data-open-page]"); if (source) openPage(source); });

  Links.onChange(key => {
    const number = about.runs.findIndex(run => "run:" + run.name === key), label = about.labels.findIndex(name => "query:" + name === key);
    svg.classList.toggle("faded", number >= 0 || label >= 0);
    for (const each of svg.querySelectorAll(".spot, .region")) {
      const shown = pages[state.page], own = each.dataset.region === undefined;
      const mine = own ? Number(each.dataset.run) === number || shown.runs[each.dataset.run].query[each.dataset.spot] === label : shown.truth.label[each.dataset.region] === label;
      each.classList.toggle("linked", mine);
    }
  });
  box.hidden = false;
  showRun(0);
  const first = new IntersectionObserver(entries => { if (entries.some(entry => entry.isIntersecting)) { first.disconnect(); draw(); new ResizeObserver(() => { if (sheet.clientWidth) draw(); }).observe(sheet); } }, { rootMargin: "300px" });
  first.observe(box);
})();
