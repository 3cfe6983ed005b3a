// @ts-check
/**
 * Says why the shell does not start, where a browser does not run it. A classic script, which runs where modules do not:
 * in a page opened as a file.
 */

(() => {
  const inJapanese = navigator.language.startsWith("ja");

  /** @param {string} english @param {string} japanese */
  function say(english, japanese) {
    const [bar, words] = ["shell-bar", "shell-words"].map((id) => document.getElementById(id));
    if (!bar || !words) return;
    words.textContent = inJapanese ? japanese : english;
    bar.hidden = false;
  }

  if (location.protocol === "file:") {
    const folder = decodeURI(location.pathname).replace(/(?:rules\/[^/]+\/)?[^/]*$/, "");
    addEventListener("DOMContentLoaded", () =>
      say(
        `Komadai cannot play in a page that was opened as a file. Let a web server send the folder: on this device run “python -m http.server --directory '${folder}'” and open http://localhost:8000/, or put it on any web host with https.`,
        `ファイルとして開いたページでは Komadai は動きません。フォルダーをウェブサーバーから送ってください。この端末では「python -m http.server --directory '${folder}'」を実行して http://localhost:8000/ を開くか、https のウェブサイトに置いてください。`,
      ),
    );
    return;
  }

  addEventListener(
    "error",
    ({ target, message }) => {
      if (target instanceof HTMLScriptElement)
        say(
          `Komadai could not start here: ${target.src} did not come as a script. Is there a connection? Hosts have to send .js as text/javascript.`,
          `Komadai を起動できませんでした：${target.src} をスクリプトとして受け取れません。接続を確かめてください。サーバーは .js を text/javascript として送る必要があります。`,
        );
      else if (/^(?:Uncaught )?SyntaxError/.test(message))
        say("This browser is too old for Komadai.", "このブラウザは古すぎます。");
    },
    true,
  );
})();
