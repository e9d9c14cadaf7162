/**
 * One attempt at one call: {@link io.iocluster.http.HttpExecutor} and its result as a value, {@link
 * io.iocluster.http.HttpResult}. {@link io.iocluster.http.HttpExecutors} makes one for each event loop.
 *
 * <p>Only this package imports {@code org.asynchttpclient}; what that client does by default and must not do here is turned
 * off in {@link io.iocluster.http.AsyncHttpExecutor}, guarded in {@link io.iocluster.http.ConnectionGuard}, or bounded in
 * {@link io.iocluster.http.Attempt}.
 */
package io.iocluster.http;
