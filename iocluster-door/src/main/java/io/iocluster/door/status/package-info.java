/** What the door does now, for operators. */
package io.iocluster.door.status;
