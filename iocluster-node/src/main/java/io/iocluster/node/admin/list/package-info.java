/** The parameters of paths that list many entries. */
package io.iocluster.node.admin.list;
