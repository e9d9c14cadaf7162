/**
 * Live samples of calls for operators. {@link io.iocluster.node.tap.CallTaps} offers each ended call to the open taps; a {@link
 * io.iocluster.node.tap.Tap} filters, limits and buffers; {@link io.iocluster.node.tap.TapStream} sends what it kept.
 */
package io.iocluster.node.tap;
