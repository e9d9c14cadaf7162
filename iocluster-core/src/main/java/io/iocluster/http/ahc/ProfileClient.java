package io.iocluster.http.ahc;

import org.asynchttpclient.DefaultAsyncHttpClient;

/**
 * The client that calls with one profile are made with. Confined to one event loop.
 *
 * @param acceptEncoding what an answer may be compressed with where the call does not say; null for nothing
 * @param proxied whether the client dials a proxy
 */
record ProfileClient(DefaultAsyncHttpClient httpClient, String acceptEncoding, boolean proxied) {}
