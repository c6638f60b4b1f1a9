/**
 * Whether the reader has typed, checked or chosen something in a form, also in that of an iframe,
 * which has classes of its own. A refused form has what was typed as the default of its fields.
 */
export function hasTypedText(form: HTMLFormElement): boolean {
  const isRefused = "refused" in form.dataset;
  const isFilled = (field: Element) =>
    "defaultChecked" in field &&
    "checked" in field &&
    field.matches("[type=checkbox], [type=radio]")
      ? field.checked !== (!isRefused && field.defaultChecked)
      : "defaultValue" in field &&
        "value" in field &&
        field.value !== (isRefused && !field.matches("[type=hidden]") ? "" : field.defaultValue);
  return [...form.elements].some(isFilled);
}
