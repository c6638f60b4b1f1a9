import type { Shades } from "../look/palette.ts";

export const displayKey = "display";

/** The key under which the browser stores the alerts that the reader dismissed. */
export const dismissedKey = "alerts.dismissed";

/** The event that applies changed settings. Its detail has them, even if they were not stored. */
export const displayEvent = "display";

/**
 * Applies the stored display settings as attributes of `<html>`: in the head of the page, so that
 * the first paint already has them, and whenever any tab changes them. Alerts that the reader
 * dismissed never appear. The policy of every page allows this text by its hash (csp.server.ts).
 */
export const writeDisplayScript = (paper: Shades): string => `(()=>{
const{dataset}=document.documentElement,colors=${JSON.stringify(paper)},bar=document.createElement("meta");
bar.name="theme-color";
const apply=({detail:settings}={})=>{
if(!settings)try{settings=JSON.parse(localStorage.getItem("${displayKey}"))}catch{}
for(const name of["theme","textSize","contrast","motion","saver"])if(typeof settings?.[name]=="string")dataset[name]=settings[name];else delete dataset[name];
if(Object.hasOwn(colors,dataset.theme)){bar.content=colors[dataset.theme];document.head.prepend(bar)}else bar.remove()
};
apply();
for(const type of["storage","${displayEvent}"])addEventListener(type,apply);
try{const sheet=new CSSStyleSheet;sheet.replaceSync(JSON.parse(localStorage.getItem("${dismissedKey}")).map(key=>'[data-alert="'+CSS.escape(key)+'"]{display:none}').join(""));document.adoptedStyleSheets=[sheet]}catch{}
})()`;

/** Calls the listener when a display setting changes, which `displayScript` writes to `<html>`. */
export function onDisplayChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true });
  return () => observer.disconnect();
}
