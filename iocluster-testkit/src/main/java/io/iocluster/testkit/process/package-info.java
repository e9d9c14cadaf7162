/** Child JVMs that never outlive the process that started them: {@link io.iocluster.testkit.process.JavaProcess}. */
package io.iocluster.testkit.process;
