/**
 * The commands that read and control running nodes. {@link io.iocluster.node.cli.admin.AdminClient} calls the admin API of
 * one node.
 */
package io.iocluster.node.cli.admin;
