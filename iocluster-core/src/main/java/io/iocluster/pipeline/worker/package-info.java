/**
 * Attempts calls on event loops, one worker for each loop. The pool gives each call to the worker with the fewest calls, and replaces a
 * worker whose loop has died or no longer responds.
 */
package io.iocluster.pipeline.worker;
