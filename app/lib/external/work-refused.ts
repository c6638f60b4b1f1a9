/**
 * Thrown if this process cannot do the work now, because it is closing or its queue is full. The
 * error does not mean that something is wrong with the document.
 */
export class WorkRefused extends Error {}

export class QueueFull extends WorkRefused {}
