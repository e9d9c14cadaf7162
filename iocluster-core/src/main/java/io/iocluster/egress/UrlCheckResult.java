package io.iocluster.egress;

/** Result of a URL check: a URL that may be called, or the reason why it may not. */
public sealed interface UrlCheckResult permits TargetUrl, Rejection {}
