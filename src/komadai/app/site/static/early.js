// @ts-check
/**
 * Says why the shell does not start, where a browser does not run it. A classic script, which runs where modules do not:
 * in a page opened as a file.
 */

(() => {
  /** A message in the language of the browser. @param {string} text @param {Record<string, string>} [values] */
  function t(text, values = {}) {
    const translated = JSON.parse(document.getElementById("translations")?.textContent ?? "{}");
    const found = translated[navigator.language] ?? translated[navigator.language.split("-")[0] ?? ""];
    return Object.entries(values).reduce(
      (said, [name, value]) => said.replace(`{${name}}`, value),
      found?.[text] ?? text,
    );
  }

  /** @param {string} message */
  function say(message) {
    const [bar, words] = ["shell-bar", "shell-words"].map((id) => document.getElementById(id));
    if (!bar || !words) return;
    words.textContent = message;
    bar.hidden = false;
  }

  if (location.protocol === "file:") {
    const folder = decodeURI(location.pathname).replace(/(?:rules\/[^/]+\/)?[^/]*$/, "");
    addEventListener("DOMContentLoaded", () =>
      say(
        t(
          "Komadai cannot play in a page that was opened as a file. Let a web server send the folder: on this device run “python -m http.server --directory '{folder}'” and open http://localhost:8000/, or put it on any web host with https.",
          { folder },
        ),
      ),
    );
    return;
  }

  addEventListener(
    "error",
    ({ target, message }) => {
      if (target instanceof HTMLScriptElement)
        say(
          t(
            "Komadai could not start here: {script} did not come as a script. Is there a connection? Hosts have to send .js as text/javascript.",
            { script: target.src },
          ),
        );
      else if (/^(?:Uncaught )?SyntaxError/.test(message)) say(t("This browser is too old for Komadai."));
    },
    true,
  );
})();
