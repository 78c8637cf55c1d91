// Creates a manifest exactly once, although requests or answers may get lost. Set BASE_URL and API_KEY first.
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Retries {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  static String write(String method, String path, String body, String key) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("BASE_URL") + path))
        .method(method, BodyPublishers.ofString(body))
        .header("X-AUTH-KEY", System.getenv("API_KEY"))
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(30))
        .build();
    for (int attempt = 1; ; attempt++) {
      HttpResponse<String> response = null;
      try {
        response = CLIENT.send(request, BodyHandlers.ofString());
      } catch (IOException noAnswer) {
        if (attempt == 6) throw noAnswer;
      }
      // Null: no answer arrived. 429 and 5xx: try again later. Every other answer is final.
      boolean isFinal = response != null && response.statusCode() != 429 && response.statusCode() < 500;
      if (isFinal || attempt == 6) {
        if (response.statusCode() < 300) return response.body();
        throw new IllegalStateException(response.statusCode() + " " + response.body());
      }
      long wait = response == null ? -1 : response.headers().firstValueAsLong("Retry-After").orElse(-1);
      Thread.sleep(1000 * (wait >= 0 ? wait : 1L << attempt));
    }
  }

  public static void main(String[] arguments) throws Exception {
    // The key belongs to the order, not to the attempt. So every repeat has the same key, also after a restart.
    var order = "{\"externalIdentifier\": \"ORDER-10248\"}";
    System.out.println(write("POST", "/integration/rest/api/v1/manifest", order, "create-ORDER-10248"));
  }
}
