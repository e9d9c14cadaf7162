/** Ends attempts whose timeout has expired: {@link io.iocluster.http.ahc.timeout.TimeoutWheel}. */
package io.iocluster.http.ahc.timeout;
