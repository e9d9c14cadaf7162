/** Ends attempts whose timeout has expired: {@link io.iocluster.http.timeout.TimeoutWheel}. */
package io.iocluster.http.timeout;
