/** The program: {@code Main} runs a command of {@link io.iocluster.node.cli}. */
package io.iocluster.node;
