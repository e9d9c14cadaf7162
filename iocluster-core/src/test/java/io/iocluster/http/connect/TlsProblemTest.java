package io.iocluster.http.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.iocluster.message.ErrorCode;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TlsProblemTest {

    static Stream<Arguments> causes() {
        return Stream.of(
                arguments(
                        new CertPathValidatorException("validity check failed", new CertificateExpiredException()),
                        "the target's certificate has expired"),
                arguments(new CertificateNotYetValidException(), "the target's certificate is not valid yet"),
                arguments(
                        new CertPathBuilderException("unable to find valid certification path to requested target"),
                        "no trusted authority has issued the target's certificate"),
                arguments(
                        new CertPathValidatorException("no anchor", null, null, -1, PKIXReason.NO_TRUST_ANCHOR),
                        "no trusted authority has issued the target's certificate"),
                arguments(
                        new CertPathValidatorException("SHA1", null, null, -1, BasicReason.ALGORITHM_CONSTRAINED),
                        "the target's certificate uses an algorithm that is too weak"),
                arguments(
                        new CertPathValidatorException("revoked", null, null, -1, BasicReason.REVOKED),
                        "the target's certificate is revoked"),
                arguments(
                        new CertPathValidatorException("basic constraints check failed"), ErrorCode.TLS.description()),
                arguments(
                        new CertificateException("No subject alternative DNS name matching partner.example found."),
                        "the target's certificate is for another name"),
                arguments(new IllegalStateException("closed"), ErrorCode.TLS.description()));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void namesTheReason(Exception cause, String reason) {
        assertThat(TlsProblem.of(new SSLHandshakeException("handshake failed").initCause(cause)))
                .isEqualTo(reason);
    }
}
