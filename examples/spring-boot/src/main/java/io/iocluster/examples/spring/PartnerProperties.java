package io.iocluster.examples.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Who is asked.
 *
 * @param url gets {@code ?launch=…}
 * @param within the answer is of no use later
 */
@ConfigurationProperties("partner")
record PartnerProperties(String url, Duration within) {}
