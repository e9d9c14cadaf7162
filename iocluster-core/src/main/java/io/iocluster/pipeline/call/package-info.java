/**
 * One call of a message: what it asks for ({@link io.iocluster.pipeline.call.Call}), what its attempts have done ({@link
 * io.iocluster.pipeline.call.CallProgress}) and what receives its result ({@link io.iocluster.pipeline.call.CallListener}). A call ends
 * exactly once. The watchdog ends those that outlive their deadline.
 */
package io.iocluster.pipeline.call;
