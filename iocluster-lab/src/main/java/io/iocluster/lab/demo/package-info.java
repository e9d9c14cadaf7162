/**
 * The {@code demo} command: {@link io.iocluster.lab.demo.Demo} sends calls through a node, with the broker and the target of a
 * {@link io.iocluster.lab.demo.DemoEnvironment}.
 */
package io.iocluster.lab.demo;
