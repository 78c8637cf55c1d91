// Replaces the pallets of a manifest, unless another client changes it at the same time. Set BASE_URL and API_KEY first.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

public class IfMatch {
  static HttpRequest.Builder request() {
    var url = System.getenv("BASE_URL") + "/integration/rest/api/v1/manifest/ORDER-10248";
    return HttpRequest.newBuilder(URI.create(url))
        .header("X-AUTH-KEY", System.getenv("API_KEY"))
        .header("Content-Type", "application/json");
  }

  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newHttpClient();
    for (int attempt = 1; ; attempt++) {
      var read = client.send(request().build(), BodyHandlers.ofString());
      var change = request()
          .header("If-Match", read.headers().firstValue("ETag").orElseThrow())
          .PUT(BodyPublishers.ofString("{\"assets\": [\"PALLET-1\", \"PALLET-2\"]}"))
          .build();
      var changed = client.send(change, BodyHandlers.ofString());
      // 412: another client changed the manifest first. Read it again.
      if (changed.statusCode() == 412 && attempt < 3) continue;
      if (changed.statusCode() != 200) throw new IllegalStateException(changed.body());
      System.out.println(changed.body());
      return;
    }
  }
}
