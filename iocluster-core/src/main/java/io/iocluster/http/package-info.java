/**
 * One attempt at one call: {@link io.iocluster.http.HttpExecutor} and its result as a value, {@link
 * io.iocluster.http.HttpResult}. Only the adapter in this package imports {@code org.asynchttpclient}.
 */
package io.iocluster.http;
