package io.iocluster.examples.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The partner to call.
 *
 * @param url the URL, to which {@code ?launch=…} is added
 * @param within the deadline of a call
 */
@ConfigurationProperties("partner")
record PartnerProperties(String url, Duration within) {}
