/**
 * This process cannot do the work now: it is closing, or too much is waiting. It says nothing about
 * the document.
 */
export class WorkRefused extends Error {}
