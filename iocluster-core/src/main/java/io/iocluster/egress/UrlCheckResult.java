package io.iocluster.egress;

/** What became of a URL that was read: one that may be called, or the reason why not. */
public sealed interface UrlCheckResult permits TargetUrl, Rejection {}
