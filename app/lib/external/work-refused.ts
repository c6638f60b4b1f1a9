/** Thrown if this process is closing or its queue is full. It says nothing about the document. */
export class WorkRefused extends Error {}

export class QueueFull extends WorkRefused {}
