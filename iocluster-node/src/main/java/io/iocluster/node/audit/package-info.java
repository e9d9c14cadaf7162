/** The audit log: one line for each operator action, with who, from where, what, and the values before and after. */
package io.iocluster.node.audit;
