package io.iocluster.door.access;

import static org.assertj.core.api.Assertions.assertThat;

import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

class ClientCertificateTest {

    @Test
    void theMostSpecificCommonNameIsTheName() {
        assertThat(commonName("CN=shop, CN=Users, DC=corp, DC=example")).isEqualTo("shop");
        assertThat(commonName("CN=billing, OU=Services, O=Example, C=DE")).isEqualTo("billing");
    }

    @Test
    void aSubjectWithoutACommonNameHasNone() {
        assertThat(commonName("OU=Services, O=Example")).isNull();
        assertThat(commonName("")).isNull();
    }

    private static String commonName(String subject) {
        return ClientCertificate.commonName(new X500Principal(subject));
    }
}
