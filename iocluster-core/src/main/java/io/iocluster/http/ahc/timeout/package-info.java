/** When attempts end that take too long. */
package io.iocluster.http.ahc.timeout;
