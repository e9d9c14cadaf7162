/**
 * One attempt at one call: {@link io.iocluster.http.HttpExecutor} and its result as a value, {@link
 * io.iocluster.http.HttpResult}. {@link io.iocluster.http.ahc.AsyncHttpExecutorFactory} makes one for each event loop.
 *
 * <p>Only this package imports {@code org.asynchttpclient}; what that client does by default and must not do here is turned
 * off in {@code AsyncHttpExecutor}, guarded in {@code ConnectionGuard}, or bounded in
 * {@code HttpAttempt}.
 */
package io.iocluster.http;
