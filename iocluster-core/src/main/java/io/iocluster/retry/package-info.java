/** Whether a failed attempt is made again, and when. */
package io.iocluster.retry;
