/** The command that shows a live sample of calls. */
package io.iocluster.node.cli.tap;
