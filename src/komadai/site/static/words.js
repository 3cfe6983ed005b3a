// @ts-check
/** What the shell says, before and beside the pages, in the language of the person here. */

/** @typedef {keyof typeof WORDS} Word */

const WORDS = {
  loading: ["Getting ready to play… {done}", "対局の準備をしています… {done}"],
  starting: ["Getting ready to play…", "対局の準備をしています…"],
  update: ["There is a new version of Komadai.", "Komadai の新しい版があります。"],
  reload: ["Reload", "再読み込み"],
  again: ["Try again", "やり直す"],
  close: ["Close", "閉じる"],
  noWorker: [
    "This browser, or this private window, lets no site work by itself (it has no service workers): open Komadai in an ordinary window, over https.",
    "このブラウザまたはプライベートウィンドウではサイトが単独で動けません（Service Worker がありません）。通常のウィンドウで、https で開いてください。",
  ],
  old: [
    "This browser is too old for Komadai. It needs Chrome or Edge 111, Firefox 121, Safari 17, or a later one.",
    "このブラウザは古すぎます。Chrome・Edge 111、Firefox 121、Safari 17 以降が必要です。",
  ],
  framed: [
    "Komadai plays in a window of its own, not inside another page.",
    "Komadai は他のページの中では動きません。単独のウィンドウで開いてください。",
  ],
  window: ["Open the window", "ウィンドウを開く"],
  volatile: [
    "This browser, or this private window, keeps no files for this site or has no room for them: games are lost when the tab is closed. Export those that you want to keep.",
    "このブラウザまたはプライベートウィンドウはこのサイトのファイルを保存しないか、その容量がありません。タブを閉じると対局は失われます。残したい対局は書き出してください。",
  ],
  room: [
    "This browser has too little room for all of Komadai. Play goes on, but without a connection it may not start. Make room on the device or in the browser’s settings.",
    "このブラウザには Komadai 全体を保存する容量がありません。対局は続けられますが、接続がないと起動できないことがあります。端末またはブラウザの設定で空きを作ってください。",
  ],
  files: ["not all of its files could be fetched", "ファイルの一部を取得できませんでした"],
  failed: ["Komadai could not start here: {why}", "Komadai を起動できませんでした：{why}"],
  offline: [
    "Komadai is not yet all on this device, and there is no connection to fetch the rest.",
    "Komadai の一部がまだこの端末になく、接続もないため取得できません。",
  ],
};

/** The language of the person here. */
export function language() {
  try {
    const chosen = JSON.parse(localStorage.getItem("komadai.language") ?? "null");
    if (chosen === "en" || chosen === "ja") return chosen;
  } catch {
    // storage is off, or another program wrote the value
  }
  return navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "en" || tag === "ja") ?? "en";
}

/** @param {Word} name @param {Record<string, string>} [values] */
export function words(name, values = {}) {
  const [english = "", japanese = ""] = WORDS[name];
  const said = language() === "ja" ? japanese : english;
  return said.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}
