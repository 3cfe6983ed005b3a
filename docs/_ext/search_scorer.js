// How the documentation's search orders what it finds. Sphinx asks `score` for each result. Pages whose title has the
// words that were typed come first, then guides before reference and reasons, and last what is generated or history.
window.Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 5, 1: 2, 2: 0 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  folders: [
    [/^(how-to|tutorial)\/|^(faq|rules\/README)$/, 4],
    [/^reference\/python\//, 1],
    [/^(explanation\/decisions|changelog|contributing)/, -8],
    [/^(reference\/(command-line|http|vocabulary|licences)|explanation)/, -2],
  ],
  score([page, , anchor, , score, , kind]) {
    const stemmer = new Stemmer();
    const stems = (text) => new Set(splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word)));
    const query = stems(new URLSearchParams(location.search).get("q") ?? "");
    const title = stems(Search._index.titles[Search._index.docnames.indexOf(page)]);
    const share = [...query].filter((word) => title.has(word)).length / (query.size || 1);
    const folder = this.folders.find(([name]) => name.test(page))?.[1] ?? 0;
    return score + (kind === "object" ? 0 : 20 * share * (anchor ? 0.9 : 1)) + folder;
  },
};
