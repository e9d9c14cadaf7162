/** The program: {@code Main} runs a command from {@link io.iocluster.node.cli}. */
package io.iocluster.node;
