/** Rules that say which answers of a target are usable. An envelope may have one, and so may a destination. */
package io.iocluster.message.usable;
