package io.iocluster.credential.signature;

import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Signs requests for AWS with the SDK's signer (Signature Version 4). Immutable. */
public final class AwsSigner implements RequestSigner {

    private static final Set<String> HEADERS =
            Set.of("authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token");

    /** Proxies between the node and AWS may change these. */
    private static final Set<String> NOT_SIGNED = Set.of("traceparent", "tracestate", "baggage", "accept-encoding");

    /** These services sign the path as it is sent. All others encode it once more and remove dot segments. */
    private static final Set<String> PATH_AS_SENT = Set.of("s3", "s3-outposts", "s3-object-lambda");

    private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

    private final AwsSigV4Settings settings;
    private final AwsCredentialsIdentity identity;

    public AwsSigner(AwsSigV4Settings settings) {
        this.settings = settings;
        this.identity = settings.sessionToken().isEmpty()
                ? AwsCredentialsIdentity.create(settings.accessKeyId(), settings.secretAccessKey())
                : AwsSessionCredentialsIdentity.create(
                        settings.accessKeyId(), settings.secretAccessKey(), settings.sessionToken());
    }

    /** Returns whether a header of this name belongs to a signature, in any case. */
    public static boolean isHeader(String name) {
        return HEADERS.contains(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean setsHeader(String name) {
        return isHeader(name);
    }

    @Override
    public Optional<Rejection> check(HttpRequest request) {
        List<Header> parameters = AwsTarget.of(request.url().pathAndQuery()).parameters();
        if (parameters == null) {
            return reject("a parameter of the URL is not UTF-8 and cannot be signed for AWS");
        }
        return parameters.stream()
                        .anyMatch(parameter ->
                                parameter.name().toLowerCase(Locale.ROOT).startsWith("x-amz-"))
                ? reject("the URL has a parameter of an AWS signature; remove it because the credential signs the call")
                : Optional.empty();
    }

    private static Optional<Rejection> reject(String message) {
        return Optional.of(new Rejection(ErrorCode.INVALID_URL, message));
    }

    @Override
    public HttpRequest sign(HttpRequest request, Instant now) {
        AwsTarget target = AwsTarget.of(request.url().pathAndQuery());
        SdkHttpRequest unsigned = unsigned(request, target);
        boolean asSent = PATH_AS_SENT.contains(settings.service());
        SdkHttpRequest signed = SIGNER.sign(input -> input.identity(identity)
                        .request(unsigned)
                        .payload(ContentStreamProvider.fromByteArray(
                                request.body() == null ? new byte[0] : request.body()))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, settings.service())
                        .putProperty(AwsV4HttpSigner.REGION_NAME, settings.region())
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, !asSent)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, !asSent)
                        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
                .request();
        List<Header> headers = new ArrayList<>(request.headers());
        signed.forEachHeader((name, values) -> {
            if (isHeader(name)) {
                headers.add(new Header(name, values.get(0)));
            }
        });
        return request.withUrl(new TargetUrl(request.url().origin(), target.path() + target.query()))
                .withHeaders(headers);
    }

    private static SdkHttpRequest unsigned(HttpRequest request, AwsTarget target) {
        SdkHttpRequest.Builder unsigned = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(request.method()))
                .protocol(request.url().scheme())
                .host(request.url().origin().hostInUrl())
                .port(request.url().port())
                .encodedPath(target.path());
        for (Header parameter : target.parameters()) {
            unsigned.appendRawQueryParameter(parameter.name(), parameter.value());
        }
        for (Header header : request.headers()) {
            if (isSigned(header)) {
                unsigned.appendHeader(header.name(), header.value());
            }
        }
        return unsigned.build();
    }

    /** The signer reads text as UTF-8, but headers are sent as Latin-1, so it signs only ASCII. */
    private static boolean isSigned(Header header) {
        return !NOT_SIGNED.contains(header.name().toLowerCase(Locale.ROOT))
                && header.value().chars().allMatch(c -> c < 0x80);
    }
}
