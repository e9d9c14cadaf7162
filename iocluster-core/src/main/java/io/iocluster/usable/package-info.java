/** Decides whether the answer of a target is usable. */
package io.iocluster.usable;
