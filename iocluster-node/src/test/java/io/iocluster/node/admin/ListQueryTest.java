package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.QueryParams;
import org.junit.jupiter.api.Test;

class ListQueryTest {

    @Test
    void searchesForARepeatedWordOnce() {
        ListQuery query = ListQuery.of(QueryParams.of("find", "e A".repeat(1_000) + " a  E"));

        assertThat(query.words()).containsExactly("e", "ae", "a");
    }
}
