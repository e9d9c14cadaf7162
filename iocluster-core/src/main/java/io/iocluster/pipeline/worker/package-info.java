/** Supervises the event loops of the workers: {@link io.iocluster.pipeline.worker.LoopHeartbeat} detects late and dead loops. */
package io.iocluster.pipeline.worker;
