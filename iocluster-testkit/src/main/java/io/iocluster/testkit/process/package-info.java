/**
 * Child processes that end with their parent: {@link io.iocluster.testkit.process.JavaProcess} for a JVM, {@link
 * io.iocluster.testkit.process.NativeProcess} for any other program, {@link io.iocluster.testkit.process.DemoProcess}
 * for the demo cluster.
 */
package io.iocluster.testkit.process;
