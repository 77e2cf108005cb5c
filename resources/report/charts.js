/* Charts of lines, drawn by uPlot when they come into view; their drawing for paper stands beside them. */
(() => {
  const MANY = 14, HEIGHT = 270, plots = [];
  let source = null, telling = false;
  const written = value => {
    if (value === null || value === undefined) return "–";
    const text = Math.abs(value) >= 100 ? value.toFixed(0) : Number.isInteger(value) && Math.abs(value) >= 2 ? String(value)
      : Math.abs(value) < .01 && value !== 0 ? value.toPrecision(2) : value.toFixed(3);
    return text.replace(/^(-?)0\./, "$1.").replace("-", "−");
  };
  const tables = plot => {
    const each = plot.lines.map(line => [line.x || plot.x, line.y, ...line.bands.flatMap(([low, high]) => [low, high])]);
    if (plot.lines.every(line => !line.x)) return [plot.x, ...each.flatMap(table => table.slice(1))];
    return uPlot.join([[plot.x], ...each]);
  };
  const axis = (label, more) => ({
    label, labelSize: 18, labelFont: "12px system-ui, sans-serif", font: "12px system-ui, sans-serif", stroke: () => Theme.colour("--quiet"),
    grid: { stroke: () => Theme.colour("--line"), width: 1 }, ticks: { stroke: () => Theme.colour("--line"), width: 1 }, ...more,
  });
  const series = plot => {
    const all = [{ label: plot.xTitle, value: (u, value) => value === null || value === undefined ? "–" : plot.xNames[value] || written(value) }], bands = [];
    for (const line of plot.lines) {
      const few = line.y.filter(value => value !== null).length < 2, dots = line.marks !== "" || few;
      const colour = line.opacity < 1 ? line.colour + Math.round(255 * line.opacity).toString(16).padStart(2, "0") : line.colour;
      all.push({
        label: line.name, link: line.link, stroke: colour, width: line.width, dash: line.dash, spanGaps: true, value: (u, value) => written(value),
        paths: line.marks ? () => null : undefined,
        points: { show: dots, size: 6, stroke: line.colour, fill: () => line.marks === "hollow" ? Theme.colour("--paper") : line.colour },
      });
      for (const [, , opacity] of line.bands) {
        const at = all.length, hidden = { label: "", class: "band", stroke: "transparent", width: 0, points: { show: false }, spanGaps: true };
        bands.push({ series: [at + 1, at], fill: line.colour + Math.round(255 * opacity).toString(16).padStart(2, "0") });
        all.push({ ...hidden }, { ...hidden });
      }
    }
    return { all, bands };
  };
  /* The read-out is that of the nearest place where a line is defined: lines may have places of their own. */
  const nearest = (u, at, index) => {
    const values = u.data[at];
    if (values[index] !== null && values[index] !== undefined) return index;
    if (!u.spans) return index;
    for (let step = 1; step < values.length; step++) for (const place of [index - step, index + step])
      if (values[place] !== null && values[place] !== undefined) return place;
    return index;
  };
  const make = (plot, element, width) => {
    const { all, bands } = series(plot), data = tables(plot);
    const range = plot.xEnd === null ? { min: Math.min(...data[0]), max: Math.max(...data[0]) } : { min: 0, max: plot.xEnd };
    const names = plot.xNames.length > 0;
    const u = new uPlot({
      width, height: HEIGHT, series: all, bands, focus: { alpha: .18 },
      scales: {
        x: { time: false, range: (u, low, high) => low == null ? [0, 1] : plot.xEnd !== null && low === data[0][0] && high === data[0][data[0].length - 1] ? [0, plot.xEnd] : names ? [range.min - .3, range.max + .3] : low === high ? [low - 1, high + 1] : [low, high] },
        y: { range: (u, low, high) => {
          const whole = u.scales.x.min == null || (u.scales.x.min <= range.min && u.scales.x.max >= range.max);
          return plot.top !== null && whole ? [0, plot.top * 1.02] : [Math.min(low ?? 0, 0), (high ?? 1) * 1.05 || 1];
        } },
      },
      axes: [axis(plot.xTitle, names ? { splits: () => data[0], values: (u, places) => places.map(place => plot.xNames[place] || "") } : { size: 34 }),
             axis(undefined, { labelSize: 0, size: (u, values) => 14 + 7 * Math.max(2, ...(values || []).map(value => value.length)) })],
      legend: { live: true }, cursor: { focus: { prox: 30 }, drag: { x: true, y: false }, dataIdx: nearest, sync: { key: plot.xTitle } },
      hooks: {
        setSeries: [(u, at, options) => {
          if (telling || !options || options.focus === undefined) return;
          source = u; Links.point((at !== null && options.focus && u.series[at].link) || null); source = null;
          mark(u, at);
        }],
        setLegend: [u => element.classList.toggle("pointed", u.cursor.idx !== null && u.cursor.idx !== undefined && u.cursor.left >= 0)],
        draw: [u => {
          if (plot.level === null) return;
          const y = Math.round(u.valToPos(plot.level, "y", true)), { left, width } = u.bbox;
          u.ctx.save(); u.ctx.strokeStyle = Theme.colour("--quiet"); u.ctx.beginPath(); u.ctx.moveTo(left, y); u.ctx.lineTo(left + width, y);
          u.ctx.stroke(); u.ctx.restore();
        }],
      },
    }, data, element);
    u.spans = plot.lines.some(line => line.x);
    const rows = [...element.querySelectorAll(".u-legend .u-series")];
    u.rows = rows;
    if (plot.lines.length > MANY) element.classList.add("many");
    rows.forEach((row, at) => { if (u.series[at].link) row.dataset.line = u.series[at].link; if (at && !u.series[at].label) row.classList.add("band"); });
    element.querySelector(".u-legend").addEventListener("click", event => {
      const row = event.target.closest("[data-line]");
      if (row) { event.stopPropagation(); Links.pin(row.dataset.line); }
    }, true);
    plots.push(u);
    return u;
  };
  const mark = (u, at) => u.rows.forEach((row, place) => row.classList.toggle("linked", place === at && at > 0));
  const highlight = (u, key) => {
    const at = key === null ? -1 : u.series.findIndex(each => each.link === key);
    u.setSeries(at > 0 ? at : null, { focus: true });
    mark(u, at);
  };
  Links.onChange(key => {
    telling = true;
    for (const u of plots) if (u !== source) highlight(u, key);
    telling = false;
  });
  Theme.onChange(() => plots.forEach(u => u.redraw()));
  const widthOf = (chart, columns) => {
    const whole = chart.clientWidth, side = Math.max(1, Math.min(columns, Math.floor(whole / 300)));
    return Math.floor((whole - 16 * (side - 1)) / side);
  };
  const show = chart => {
    const described = JSON.parse(chart.querySelector("script").textContent), columns = Number(chart.dataset.columns), made = [];
    const row = document.createElement("div");
    row.className = "live screen";
    chart.prepend(row);
    chart.classList.add("is-live");
    for (const plot of described) {
      const cell = document.createElement("div"), title = document.createElement("div");
      cell.className = "cell"; title.className = "title"; title.textContent = plot.title;
      cell.append(title); row.append(cell);
      made.push(make(plot, cell, widthOf(chart, columns)));
    }
    new ResizeObserver(() => { const width = widthOf(chart, columns);
      if (chart.clientWidth) made.forEach(u => { if (u.width !== width) u.setSize({ width, height: HEIGHT }); }); }).observe(chart);
  };
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); show(entry.target); }
  }, { rootMargin: "400px" });
  document.querySelectorAll(".chart").forEach(chart => seen.observe(chart));
})();
