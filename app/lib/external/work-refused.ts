/**
 * Thrown if this process cannot do the work now, because it is closing or its queue is full. The
 * error does not say anything about the document.
 */
export class WorkRefused extends Error {}

export class QueueFull extends WorkRefused {}
