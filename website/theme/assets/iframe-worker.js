// Where pages are opened as files, browsers start no workers: the search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    onmessage = null;

    constructor(url) {
      super();
      this.addEventListener("message", (event) => this.onmessage?.(event));
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const { contentDocument, contentWindow } = this.frame;
      contentWindow.postMessage = (message) => {
        const data = structuredClone(message);
        setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
      };
      const script = contentDocument.createElement("script");
      script.src = new URL(url, document.baseURI).href;
      this.ready = new Promise((done) => script.addEventListener("load", done));
      contentDocument.body.append(script);
    }

    postMessage(message) {
      const data = structuredClone(message);
      this.ready.then(() => this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
