/**
 * Children that never outlive the process that started them: {@link io.iocluster.testkit.process.JavaProcess} for a JVM, {@link
 * io.iocluster.testkit.process.NativeProcess} for any other program, {@link io.iocluster.testkit.process.DemoProcess} for a cluster to
 * try things on.
 */
package io.iocluster.testkit.process;
