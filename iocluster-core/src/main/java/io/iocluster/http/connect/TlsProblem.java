package io.iocluster.http.connect;

import io.iocluster.message.ErrorCode;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;

/** Says why a TLS handshake failed, without text of the target. Stateless. */
final class TlsProblem {

    private static final String UNTRUSTED = "no trusted authority has issued the target's certificate";

    private TlsProblem() {}

    /** Returns the reason that the exception and its causes show, else what the code stands for. */
    static String of(Throwable thrown) {
        String reason = ErrorCode.TLS.description();
        // The last cause is the most specific one.
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            reason = reason(cause, reason);
        }
        return reason;
    }

    private static String reason(Throwable cause, String otherwise) {
        if (cause instanceof CertificateExpiredException) {
            return "the target's certificate has expired";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "the target's certificate is not valid yet";
        }
        if (cause instanceof CertPathValidatorException invalid) {
            return invalidPath(invalid.getReason(), otherwise);
        }
        if (cause instanceof CertPathBuilderException) {
            return UNTRUSTED;
        }
        String message = String.valueOf(cause.getMessage());
        boolean names = message.contains("No subject alternative") || message.contains("No name matching");
        return cause instanceof CertificateException && names
                ? "the target's certificate is for another name"
                : otherwise;
    }

    private static String invalidPath(CertPathValidatorException.Reason reason, String otherwise) {
        if (reason == PKIXReason.NO_TRUST_ANCHOR) {
            return UNTRUSTED;
        }
        if (reason == BasicReason.ALGORITHM_CONSTRAINED) {
            return "the target's certificate uses an algorithm that is too weak";
        }
        return reason == BasicReason.REVOKED ? "the target's certificate is revoked" : otherwise;
    }
}
